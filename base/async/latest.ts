/** Waits for work that newer work may replace meanwhile: until the latest has ended. @throws the error of any of it. */
export async function latestEnded(latest: () => Promise<unknown> | undefined): Promise<void> {
  let waited: Promise<unknown> | undefined;
  do {
    waited = latest();
    await waited;
  } while (waited !== latest());
}
