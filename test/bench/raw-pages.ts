/** Reads pages of accounts with undici alone: the lower bound for any client. */
import { Agent, request } from 'undici';

interface Page {
  readonly items: readonly unknown[];
  readonly nextPageToken?: string;
}

const agent = new Agent();

/** Yields the items of each page, up to 200 per page. */
export async function* rawPages(baseUrl: string, token: string): AsyncGenerator<readonly unknown[]> {
  let pageToken: string | undefined;
  do {
    const query = new URLSearchParams({
      pageSize: '200',
      ...(pageToken === undefined ? {} : { pageToken }),
    });
    const { body } = await request(`${baseUrl}/v1/accounts?${query.toString()}`, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${token}` },
    });
    const page = (await body.json()) as Page; // guaranteed by the contract
    yield page.items;
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
}

export async function closeRawPages(): Promise<void> {
  await agent.close();
}
