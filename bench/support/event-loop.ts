/**
 * The longest the event loop stood still while work was done, in milliseconds. Where the processor was given to others
 * meanwhile, what this process used of it counts.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let [last, used] = [performance.now(), usedMs()];
  let on = true;
  const tick = (): void => {
    const [now, usedNow] = [performance.now(), usedMs()];
    longest = Math.max(longest, Math.min(now - last, usedNow - used));
    [last, used] = [now, usedNow];
    if (on) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  on = false;
  return longest;
}

/** Processor time of all threads of this process. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
