import { boolean, enums, type } from '../../core/structs/struct';
import { type DialogParts, type SnapDialogs, snapDialogs } from '../wallet/dialogs';
import { APPROVE, CustomConfirmationScreen } from '../screens/custom-dialog';
import { REJECT_ALL, RejectAllScreen } from '../screens/reject-all';
import { type RequestQueue } from './request-queue';

const RejectAllStruct = type({ type: enums(['InputChangeEvent']), name: enums([REJECT_ALL]), value: boolean() });
const ApproveStruct = type({ type: enums(['ButtonClickEvent']), name: enums([APPROVE]) });

const PARTS: DialogParts = {
  withRejectAll: (content) => RejectAllScreen({ content }),
  rejectsAll: (event) => (RejectAllStruct.is(event) ? event.value : undefined),
  withApprove: (content) => CustomConfirmationScreen({ content }),
  approves: (event) => ApproveStruct.is(event),
};

/**
 * @param origin - Who asks: a site, `metamask`, a companion page, or Keystead itself.
 * @returns How that caller asks the user, one dialog of all callers at a time.
 */
export const dialogsFor = (origin: string, requests: Pick<RequestQueue, 'dialogsOf'>): SnapDialogs =>
  snapDialogs(requests.dialogsOf(origin), PARTS);
