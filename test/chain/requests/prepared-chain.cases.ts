import { preparedContracts } from '../../../src/devnet/chain/state';
import { describeWithPeers } from '../../support/chain/peers';
import { makeContracts } from '../../support/chain/prepared-contracts';
import { describeNightly } from '../../support/nightly';

describeNightly('a fresh deployment of the published packages', () => {
  describeWithPeers("the devnet's prepared contracts", () => {
    it('are what it gives', async () => {
      expect(await makeContracts()).toEqual(preparedContracts());
    });
  });
});
