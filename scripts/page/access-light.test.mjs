// All pages and tabs, light.

import { everywhere } from './access.mjs';

everywhere('light', { colorScheme: 'light' });
