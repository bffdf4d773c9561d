import { startChainService } from './chain-service';
import { startWorld, type World } from './world';

/** Starts a world whose node and bundler are behind one address, the chain service, as they are on the devnet. */
export async function startDevnetWorld(): Promise<World> {
  const world = await startWorld();
  try {
    const service = await startChainService(world);
    const stop = async (): Promise<void> => {
      await service.stop();
      await world.stop();
    };
    return { ...world, rpcUrl: service.url, bundlerUrl: service.url, stop };
  } catch (error) {
    await world.stop();
    throw error;
  }
}
