/**
 * The oldest version of the Snap platform that has everything the snaps use (`CollapsibleSection` is the newest part).
 * Their manifests ask for it, and the build uses the SDK of this version, because MetaMask refuses a snap that asks for
 * more than it has.
 */
export const MINIMUM_PLATFORM_VERSION = '11.1.0';

/** The oldest MetaMask that is known to have this platform: 13.26 lacks `CollapsibleSection`. */
export const MINIMUM_METAMASK_VERSION = '13.36';
