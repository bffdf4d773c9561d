import { describeCases } from '../support/describe-cases';
import { closeBook } from '../support/hostile/book';

describeCases(__dirname);
afterAll(closeBook);
