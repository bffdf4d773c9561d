/**
 * A name of code in a text for people: a method, a field of a request, a command, a file, or the version of an entry
 * point.
 */
export const CODE_NAME =
  /\b(?:keystead|wallet|eth|keyring|snap|personal|web3|net)_[a-z]\w*|\b(?:options|params|account|transaction)\.[a-z]\w+|\bnp[mx] [a-z]+|\b[a-z]+(?:[A-Z][a-z]+)+\b|\b[\w-]+\.(?:tsx?|m?js|json|md)\b|\bentry point \d/u;

/** What no person can use: a type of the ABI, a link to a standard of the web, a browser's words for developers. */
export const MACHINE_WORD =
  /\b(?:u?int(?:8|16|32|64|96|128|160|176|256)|bytes(?:4|32)|tuple)\b|\w\[\](?!\w)|w3\.org|invalid domain/iu;
