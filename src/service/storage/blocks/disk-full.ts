import { errorCode } from '../../runtime/error-code';
import { CommandError } from '../errors';

/** Whether a write failed since there is no room, on the disk or within what its user may have of it. */
export const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');

/** Why a collection ends on a full disk. */
export const nothingToGiveBack = (): CommandError =>
  new CommandError(
    'the disk is full: whatever could be given back without writing has been; make some room and collect again',
  );
