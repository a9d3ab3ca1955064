import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import { renderPage } from '#testing/render-page.tsx';
import { ProblemPage } from './ShellRoute.tsx';

test('R.3 a page that a person may not see is replaced by the reason and a link to the dashboard', async () => {
  renderPage(<ProblemPage error={new AppError('forbidden', text`Not allowed.`)} />);
  await screen.findByRole('heading', { level: 1, name: 'You do not have access to this page' });
  expect(screen.queryByRole('button')).toBeNull();
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Go to the dashboard' });
  expect(link.getAttribute('href')).toBe('/school-erp');
});

test('a record that is not there gets a page of its own, and one that failed can be tried again', async () => {
  renderPage(<ProblemPage error={new AppError('not_found', text`Not found.`)} />);
  await screen.findByRole('heading', { level: 1, name: 'Page not found' });
  renderPage(<ProblemPage error={new Error('A bug')} />);
  await screen.findByRole('heading', { level: 1, name: 'This page could not be opened' });
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});

test.each([
  'Failed to fetch dynamically imported module: /assets/StudentForm-1a2b.js',
  'error loading dynamically imported module: /assets/StudentForm-1a2b.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/StudentForm-1a2b.css',
])('UP5 where a file of the earlier program is gone the page says that Shala was upgraded: %s', async (message) => {
  renderPage(<ProblemPage error={new TypeError(message)} />);
  await screen.findByRole('heading', { level: 1, name: 'Shala was upgraded' });
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a page that could not be opened opens by itself as soon as the network is back', async () => {
  const router = renderPage(<ProblemPage error={new Error('Offline')} />);
  await screen.findByRole('heading', { level: 1, name: 'This page could not be opened' });
  const opened = vi.spyOn(router, 'invalidate');
  fireEvent(window, new Event('online'));
  expect(opened).toHaveBeenCalledOnce();
});
