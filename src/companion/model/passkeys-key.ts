/** The name in `localStorage` under which this browser keeps passkeys. The first screen reads it without their code. */
export const PASSKEYS_KEY = 'keystead.passkeys';
