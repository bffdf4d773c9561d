// Checks values against structs of the newest keyring API. Standard input: `[[name of a struct, value], …]`; standard
// output: the method names of the API, and for each value null or its fault.
import { json } from 'node:stream/consumers';

import * as api from '@metamask/keyring-api';

const verdicts = (await json(process.stdin)).map(([name, value]) => api[name].validate(value)[0]?.message ?? null);
process.stdout.write(JSON.stringify({ methods: Object.values(api.KeyringRpcMethod), verdicts }));
