/** The client listed most often, with its count; of several, the first. */
export function greediestOf(clients: Iterable<string>): { client: string; count: number } {
  const counts = new Map<string, number>();
  for (const client of clients) counts.set(client, (counts.get(client) ?? 0) + 1);
  let greediest = { client: '', count: 0 };
  for (const [client, count] of counts) if (count > greediest.count) greediest = { client, count };
  return greediest;
}
