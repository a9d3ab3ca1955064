import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { renderFamily } from '#testing/render-family.tsx';
import { More } from './FamilyLeave.tsx';

const child = (id: number, name: string, reach: 'All' | 'School matters') => ({ id, name, section: '5, B', reach });

test('the paper that was chosen is named and can be removed, and its input has the focus', async () => {
  fakeServer({ 'GET /api/family/leave/count': { days: '1', off: [] } });
  renderFamily(
    <More isProven={false} today="2026-11-26">
      {[child(7, 'Aarav', 'All'), child(9, 'Diya', 'All')]}
    </More>,
  );
  const input = (await screen.findByLabelText('Photo of a paper, if you have one')) as HTMLInputElement;
  input.focus();
  fireEvent.change(input, { target: { files: [new File(['%PDF'], 'doctor.pdf', { type: 'application/pdf' })] } });
  expect(await screen.findByText(/doctor\.pdf/)).toBeTruthy();
  expect(document.activeElement).toBe(input);
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(screen.queryByText(/doctor\.pdf/)).toBeNull();
  expect(document.activeElement).toBe(input);
});

test('leave is asked for children of whom the adult sees everything', async () => {
  fakeServer({ 'GET /api/family/leave/count': { days: '1', off: [] } });
  renderFamily(
    <More isProven={false} today="2026-11-26">
      {[child(7, 'Aarav', 'School matters'), child(9, 'Diya', 'All'), child(11, 'Isha', 'All')]}
    </More>,
  );
  const options = (await screen.findByLabelText('Child')).querySelectorAll('option');
  expect([...options].map(({ textContent }) => textContent)).toEqual(['Diya', 'Isha']);
});
