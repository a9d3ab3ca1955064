import type { Section } from '#kit/browser/gallery/section.tsx';
import { QrCode } from './QrCode.tsx';

export const qrCode: Section = {
  name: 'QrCode',
  states: {
    'Of an address': <QrCode text="https://garden.example/a/4Yk8RtZq2w" label="QR code of the address" />,
  },
};
