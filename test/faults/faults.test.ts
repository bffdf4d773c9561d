import { describeCases } from '../support/describe-cases';

describeCases(__dirname);
