import { createBrowserHistory, useLocation, useNavigate } from '@tanstack/react-router';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { renderPage } from '#testing/render-page.tsx';
import { SideDialog } from './SideDialog.tsx';
import { Unsaved } from './unsaved.tsx';

let show: (what: 'none' | 'short' | 'long') => void;
function Fields() {
  const [shown, setShown] = useState<'none' | 'short' | 'long'>('none');
  show = setShown;
  if (shown === 'none') return null;
  return (
    <form>
      {shown === 'short' ? <select aria-label="Short" /> : <input aria-label="Long" />}
      <input aria-label="Other" />
    </form>
  );
}

const open = async () => {
  renderPage(
    <SideDialog title="Oak" onClose={() => undefined}>
      {() => (
        <>
          <Unsaved />
          <Fields />
        </>
      )}
    </SideDialog>,
  );
  return screen.findByRole('dialog', { name: 'Oak' });
};

test('a first field that is loaded later has the focus then, and so has the one that replaces it', async () => {
  const dialog = await open();
  expect(document.activeElement).toBe(dialog);
  act(() => show('short'));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Short')));
  act(() => show('long'));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Long')));
});

test('a field that is replaced takes no focus from where the user has gone', async () => {
  await open();
  act(() => show('short'));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Short')));
  screen.getByLabelText('Other').focus();
  act(() => show('long'));
  await Promise.resolve();
  expect(document.activeElement).toBe(screen.getByLabelText('Other'));
});

test('Escape with unsaved changes moves the focus to the question, and staying moves it back', async () => {
  await open();
  act(() => show('long'));
  const field = screen.getByLabelText('Long');
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.keyDown(field, { key: 'Escape' });
  const stay = await screen.findByRole('button', { name: 'Keep editing' });
  expect(document.activeElement).toBe(stay);
  fireEvent.click(stay);
  expect(document.activeElement).toBe(field);
});

const closed = vi.fn();
const outerClosed = vi.fn();

/** As in a browser, where Back can be held. */
async function openOverHistory(isUnsaved: boolean) {
  window.history.replaceState(null, '', '/first');
  const router = renderPage(
    <SideDialog title="Oak" onClose={closed}>
      {() => isUnsaved && <Unsaved />}
    </SideDialog>,
    '/first',
    createBrowserHistory(),
  );
  await screen.findByRole('dialog', { name: 'Oak' });
  await act(() => router.navigate({ to: '/second' }));
  expect(window.location.pathname).toBe('/second');
}

test('Back with unsaved changes asks first: staying keeps the page, and leaving goes back', async () => {
  await openOverHistory(true);
  act(() => window.history.back());
  fireEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep editing' })).toBeNull());
  expect(window.location.pathname).toBe('/second');
  act(() => window.history.back());
  fireEvent.click(await screen.findByRole('button', { name: 'Leave without saving' }));
  await waitFor(() => expect(window.location.pathname).toBe('/first'));
});

test('Back without changes closes the panel and keeps the page', async () => {
  await openOverHistory(false);
  act(() => window.history.back());
  await waitFor(() => expect(closed).toHaveBeenCalled());
  await waitFor(() => expect(window.location.pathname).toBe('/second'));
  expect(screen.queryByRole('button', { name: 'Keep editing' })).toBeNull();
});

function Inner() {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <button type="button" onClick={() => setOpen(true)}>
        Open leaf
      </button>
    );
  return (
    <SideDialog title="Leaf" onClose={closed}>
      {() => null}
    </SideDialog>
  );
}

test('Back in a panel that opens another one closes only that', async () => {
  window.history.replaceState(null, '', '/first');
  closed.mockClear();
  const router = renderPage(
    <SideDialog title="Oak" onClose={outerClosed}>
      {() => <Inner />}
    </SideDialog>,
    '/first',
    createBrowserHistory(),
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Open leaf' }));
  await screen.findByRole('dialog', { name: 'Leaf' });
  await act(() => router.navigate({ to: '/second' }));
  act(() => window.history.back());
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(window.location.pathname).toBe('/second');
  expect(outerClosed).not.toHaveBeenCalled();
});

/** Its panel is open at one address, as that of a list which a notice opens. */
function Asked() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  if (pathname !== '/asked') return null;
  return (
    <SideDialog title="Oak" isInAddress onClose={() => void navigate({ to: '/list' })}>
      {() => null}
    </SideDialog>
  );
}

test('Back in a panel that its address opened leaves the address, and a second Back does not open it again', async () => {
  window.history.replaceState(null, '', '/zero');
  const router = renderPage(<Asked />, '/zero', createBrowserHistory());
  await act(() => router.navigate({ to: '/one' }));
  await act(() => router.navigate({ to: '/asked' }));
  await screen.findByRole('dialog', { name: 'Oak' });
  act(() => window.history.back());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(window.location.pathname).toBe('/one');
  act(() => window.history.back());
  await waitFor(() => expect(window.location.pathname).toBe('/zero'));
  expect(screen.queryByRole('dialog')).toBeNull();
});
