import { SCREENS } from '../support/books';
import { describeCases } from '../support/describe-cases';

describeCases(__dirname);
afterAll(() => SCREENS.close());
