import { errorCode } from '../../runtime/error-code';
import { CommandError } from '../errors';

/** Whether a write failed for lack of space, on the disk or within the user's quota. */
export const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');

/** Why a collection stops on a full disk. */
export const nothingToGiveBack = (): CommandError =>
  new CommandError(
    'the disk is full: all space that could be freed without writing has been freed; free some space and collect again',
  );
