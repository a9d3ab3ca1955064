import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Button } from '#kit/browser/ui/Button.tsx';
import { renderPage } from '#testing/render-page.tsx';
import { useListAddress } from './use-list-address.ts';

function Page() {
  const { address, go, narrow } = useListAddress();
  return (
    <>
      <Button
        onClick={() => {
          go({ ...address, section: '5' });
          go({ ...address, on: '2026-12-01' });
        }}
      >
        Both
      </Button>
      <Button onClick={() => narrow({ section: '' })}>All</Button>
    </>
  );
}

test('a second change of the address before the page is drawn with the first keeps the first', async () => {
  const router = renderPage(<Page />, '/page?after=9&tab=left');
  fireEvent.click(await screen.findByRole('button', { name: 'Both' }));
  await waitFor(() =>
    expect(router.state.location.search).toEqual({ after: '9', tab: 'left', section: '5', on: '2026-12-01' }),
  );
  fireEvent.click(screen.getByRole('button', { name: 'All' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'left', on: '2026-12-01' }));
});
