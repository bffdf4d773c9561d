import { join } from 'node:path';

import { EXPLANATIONS } from '../support/books';
import { describeCases } from '../support/describe-cases';

describeCases(join(__dirname, 'core'));
afterAll(() => EXPLANATIONS.close());
