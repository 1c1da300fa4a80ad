// All pages and tabs, dark.

import { everywhere } from './access.mjs';

everywhere('dark', { colorScheme: 'dark' });
