/** Pages of accounts through undici alone: the lower bound for any client. */
import { Agent, request } from 'undici';

interface Page {
  readonly items: readonly unknown[];
  readonly nextPageToken?: string;
}

const agent = new Agent();

/** Items of each page, at most 200 per page, up to the last page. */
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
    const page = (await body.json()) as Page; // by the contract
    yield page.items;
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
}

export async function closeRawPages(): Promise<void> {
  await agent.close();
}
