/** What people open most, with a wallet or with a passkey. One part, because several small ones compress worse. */
export { AccountView } from './account';
export { Activity } from './activity';
export { Contacts } from './contacts';
export { Owners } from './owners';
export { PasskeyAccount } from './passkey';
export { Proposals } from './proposals';
export { Send } from './send';
