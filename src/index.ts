export const onKeyringRequest = async () => ({});
