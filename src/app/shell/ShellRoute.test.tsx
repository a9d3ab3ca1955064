import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
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
