// All pages and tabs on a phone.

import { everywhere } from './access.mjs';
import { PHONE } from './harness.mjs';

everywhere('phone', { colorScheme: 'light', ...PHONE });
