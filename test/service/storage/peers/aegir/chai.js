import chai from 'chai';
import chaiAsPromised from 'chai-as-promised';
import chaiBites from 'chai-bites';
import chaiParentheses from 'chai-parentheses';
import chaiString from 'chai-string';
import chaiSubset from 'chai-subset';

for (const plugin of [chaiAsPromised, chaiParentheses, chaiSubset, chaiBites, chaiString]) chai.use(plugin);

export const { assert, expect, should } = chai;
export { chai };
