import { join } from 'node:path';

import { describeCases } from '../helpers/describe-cases';

describeCases(join(__dirname, 'companion'));
