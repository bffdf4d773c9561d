/**
 * @param ms - Milliseconds.
 * @param onLate - Gives the result instead, or throws, if the answer takes longer.
 */
export async function within<T, L>(ms: number, answer: Promise<T>, onLate: () => L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<L>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(onLate());
      } catch (error) {
        reject(error as Error);
      }
    }, ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
