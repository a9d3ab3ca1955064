import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#kit/contract/endpoint.ts';
import { fakeServer } from '#testing/fake-server.ts';
import { call } from './call.ts';
import { queryClient, useRead } from './read.ts';

const trees = endpoint({
  method: 'GET',
  path: '/tree',
  access: 'public',
  shows: ['tree'],
  input: z.object({}),
  output: z.object({ names: z.array(z.string()) }),
});
const plant = endpoint({
  method: 'POST',
  path: '/tree',
  access: 'public',
  changes: ['tree'],
  input: z.object({}),
  output: z.object({}),
});

const Trees = () => <p>{useRead(trees, {}).data?.names.join(', ') ?? 'none yet'}</p>;

afterEach(() => {
  cleanup();
  queryClient.clear();
});

test('an act during the first read of a list reads it again, and what the first read answers is not shown', async () => {
  const answers: ((names: string[]) => void)[] = [];
  fakeServer({
    'GET /api/tree': () =>
      new Promise<object>((resolve) => {
        answers.push((names) => resolve({ names }));
      }),
    'POST /api/tree': {},
  });
  render(
    <QueryClientProvider client={queryClient}>
      <Trees />
    </QueryClientProvider>,
  );
  const planted = call(plant, {});
  await expect.poll(() => answers.length).toBe(2);
  await act(async () => answers[1]?.(['Elm', 'Fir']));
  await act(async () => answers[0]?.(['Elm']));
  await planted;
  expect(await screen.findByText('Elm, Fir')).toBeTruthy();
});
