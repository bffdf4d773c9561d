import { address, array } from '../../eth/abi';
import { isSameAddress, SENTINEL } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { askContract, assertAnswer, type ReadAt, wordsCall, wrongAnswer } from './answer';
import { assertLinkedList } from './pending';

/** How many modules are read at a time, and at most. No Safe has nearly that many. */
const PAGE = 20;
const MOST = 100;

const FIELD = 'modules';

/** `getModulesPaginated(address,uint256)` → (modules, next). */
const GET_MODULES = '0xcc2f8452';
const MODULES = { returns: [array(address), address], field: FIELD } as const;

/**
 * Reads which modules may act for a Safe, in the Safe's order: those that were switched on last come first.
 *
 * @param isCut - Whether it is enough to read the first ones of a list that is too long.
 * @throws {ServiceFailedError} If the node's answers are not a list of a Safe, or it has no end.
 * @throws {ServiceRefusedError} If there is no Safe.
 */
export async function readModules(safe: Hex, at: ReadAt, isCut = false): Promise<readonly Hex[]> {
  const modules: Hex[] = [];
  for (let start: Hex = SENTINEL; modules.length <= MOST;) {
    const data = wordsCall(GET_MODULES, start, `0x${PAGE.toString(16)}`);
    const [page, next] = await askContract(safe, data, MODULES, at);
    modules.push(...page);
    assertLinkedList(modules, FIELD);
    if (isSameAddress(next, SENTINEL)) return modules;
    // Safe 1.4.1 goes on after the last module of a full page.
    const isNext = page.length === PAGE && next === page.at(-1);
    assertAnswer(isNext, FIELD, 'must go on after the last module of a full page, or end');
    start = next;
  }
  if (isCut) return modules;
  throw wrongAnswer(FIELD, `must be at most ${MOST}`);
}
