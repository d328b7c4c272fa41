/* Apart from the launcher, since a very old Node does not understand `import()`. */
'use strict';

import('./dist/cli.js');
