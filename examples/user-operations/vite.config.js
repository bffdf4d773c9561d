import { devnet } from '../devnet.js';

export default { plugins: [devnet()] };
