import { longLabel, longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Button } from './Button.tsx';
import { useToast } from './toast.tsx';

type Toast = Parameters<ReturnType<typeof useToast>>[0];

function Shows({ toast }: { toast: Toast }) {
  const show = useToast();
  return <Button onClick={() => show(toast)}>Show “{toast.title}”</Button>;
}

export const toast: Section = {
  name: 'Toast',
  states: {
    Success: <Shows toast={{ kind: 'success', title: 'Saved.', of: 'Oak' }} />,
    Warning: <Shows toast={{ kind: 'warning', title: 'You are still signed in.', text: 'The server is away.' }} />,
    Error: <Shows toast={{ kind: 'error', title: 'Not saved.' }} />,
    'With something to do': (
      <Shows
        toast={{
          kind: 'success',
          title: 'Removed.',
          actions: ['Undo', 'Open'].map((label) => ({ label, act: () => undefined })),
        }}
      />
    ),
    'Long words': <Shows toast={{ kind: 'warning', title: longLabel, text: longWords }} />,
  },
};
