import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { MessageText } from './MessageText.tsx';

export const messageText: Section = {
  name: 'MessageText',
  states: {
    Email: <MessageText subject="The oak of 2027" words={'Good morning,\n\nthe oak is planted on Monday.'} />,
    'Text message': <MessageText words="The oak is planted on Monday: …" />,
    'Without words': (
      <MessageText words="">
        <p className="soft">The link was revoked.</p>
      </MessageText>
    ),
    'Long words': <MessageText subject={longWords} words={longWords} />,
  },
};
