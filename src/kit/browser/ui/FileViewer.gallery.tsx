import type { Section } from '#kit/browser/gallery/section.tsx';
import { FileViewer } from './FileViewer.tsx';

const drawing = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="#cde"/></svg>',
);

export const fileViewer: Section = {
  name: 'FileViewer',
  states: {
    'Of a picture': <FileViewer title="Garden plan" address={`data:image/svg+xml,${drawing}`} />,
    'Of a file that is not there': <FileViewer title="Lost plan" address="/not-there" />,
  },
};
