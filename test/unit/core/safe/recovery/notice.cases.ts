import { eachOnce, noticeWords, type RecoveryNotice } from '../../../../../src/core/safe/recovery/notice';

const say = (notice: RecoveryNotice) => noticeWords(notice, 'Savings', 'OP');

describe('what is said of an account whose nodes were asked', () => {
  it.each<[RecoveryNotice, string]>([
    [{ notice: 'unseen' }, 'has begun on OP: the node does not answer.'],
    [{ notice: 'unseen', nodes: ['a.example'] }, 'has begun on OP: the node at a.example does not answer.'],
    [
      { notice: 'unseen', nodes: ['a.example', 'b.example'] },
      'has begun on OP: the nodes at a.example and b.example do not answer.',
    ],
    [{ notice: 'lost', nodes: ['a.example'] }, 'Savings on OP has other owners now, the node at a.example says.'],
    [
      { notice: 'disputed', nodes: ['a.example', 'b.example'] },
      'Savings on OP: the nodes at a.example and b.example tell of different recoveries.',
    ],
    [
      { notice: 'disputed', nodes: ['a.example'], others: ['b.example'] },
      'Your key no longer controls Savings on OP, the node at a.example says; the node at b.example says that it does.',
    ],
    [
      { notice: 'disputed', module: `0x${'11'.repeat(20)}`, nodes: ['a.example'], others: ['b.example'] },
      'A recovery of Savings on OP has begun, the node at a.example says; the node at b.example says that none has.',
    ],
    [
      { notice: 'cancelled', nodes: ['a.example'] },
      'Your key is still an owner of Savings on OP, the node at a.example',
    ],
  ])('by %j names them', (notice, text) => {
    expect(say(notice).text).toContain(text);
  });

  it('is said once, though several accounts have it', () => {
    const [one, other] = [say({ notice: 'unseen' }), say({ notice: 'lost' })];
    const again = { ...one, title: 'Said again' };
    expect(eachOnce([one, other, again, other])).toEqual([one, other]);
    expect(eachOnce([again, one])).toEqual([again]);
  });
});
