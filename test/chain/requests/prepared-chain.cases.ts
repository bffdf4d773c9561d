import { preparedContracts } from '../../../src/devnet/chain/state';
import { describeWithPeers } from '../../support/chain/peers';
import { makeContracts } from '../../support/chain/prepared-contracts';

describeWithPeers("the devnet's prepared contracts", () => {
  it('are what a fresh deployment of the published packages gives', async () => {
    expect(await makeContracts()).toEqual(preparedContracts());
  });
});
