import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '#testing/fake-server.ts';
import { readQrCode } from '#testing/qr-code.ts';
import { renderPage } from '#testing/render-page.tsx';
import { FormCard } from './FormCard.tsx';

const shortLink = 'https://garden.example/a/4Yk8RtZq2w';

test('B38 the QR code on the page of an inquiry holds the short link, and messages say why they were not sent', async () => {
  fakeServer({
    'POST /api/inquiry/7/link': { link: `https://garden.example/admission?inquiryNo=${'0'.repeat(32)}`, shortLink },
  });
  const record = {
    id: 7,
    state: 'Form sent',
    may: { sendForm: true, extendLink: false },
    values: { fatherMobile: '', motherMobile: '' },
    progress: 0,
    submittedAt: '',
    link: { expiresOn: '2027-01-01', isRevoked: false, isExpired: false },
    sent: [
      {
        id: 1,
        at: '2026-11-20T06:30:00.000Z',
        about: { id: 'Form' },
        channel: 'SMS',
        status: { id: 'Not sent: the text differs from the registered template.' },
      },
    ],
  };
  renderPage(<FormCard record={record as never} />);
  const [message] = within(await screen.findByRole('list')).getAllByRole('listitem');
  expect(message?.textContent).toContain('Not sent: the text differs from the registered template.');
  fireEvent.click(screen.getByRole('button', { name: 'Copy link and show QR code' }));
  const code = await screen.findByRole('img', { name: 'QR code of the form’s link' });
  const size = Number(code.getAttribute('viewBox')?.split(' ')[2]);
  expect(readQrCode({ size, path: code.querySelector('path')?.getAttribute('d') ?? '' })).toBe(shortLink);
});
