/** @jest-environment ./test/environments/node.mjs */
import { join } from 'node:path';

import { describeCases } from '../support/describe-cases';

describeCases(join(__dirname, 'protocols'));
