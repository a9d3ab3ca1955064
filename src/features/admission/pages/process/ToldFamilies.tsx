import { Trans } from '@lingui/react/macro';
import { MessageText } from '../MessageText.tsx';

interface Props {
  example: { name: string; subject: string; words: string } | null;
}

/** The message to the first of the families, before it is sent. */
export const ToldFamilies = ({ example }: Props) =>
  example && (
    <MessageText subject={example.subject} words={example.words}>
      <p className="soft">
        <Trans>As the family of {example.name} reads it</Trans>
      </p>
    </MessageText>
  );
