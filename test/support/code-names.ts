/**
 * A name of code in a text for people: a method, a field of a request, a command, a file, or the version of an entry
 * point.
 */
export const CODE_NAME =
  /\b(?:keystead|wallet|eth|keyring|snap|personal|web3|net)_[a-z]\w*|\b(?:options|params|account|transaction)\.[a-z]\w+|\bnp[mx] [a-z]+|\b[a-z]+(?:[A-Z][a-z]+)+\b|\b[\w-]+\.(?:tsx?|m?js|json|md)\b|\bentry point \d/u;
