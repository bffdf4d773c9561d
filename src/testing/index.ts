export { provideTo, type TestPage } from './playwright';
export { createTestProvider, type TestProvider, type TestProviderOptions } from './provider';
