import { Trans } from '@lingui/react/macro';
import { type ComponentType, useState } from 'react';
import { type Later, useLoaded } from '#kit/browser/ui/use-loaded.ts';

interface Props<Given> {
  block: Later<{ Body: ComponentType<Given> }>;
  given: Given;
}

/** A part of the page whose file is loaded once the page is drawn; where the line is down, a button tries again. */
export function LaterBlock<Given extends object>({ block, given }: Props<Given>) {
  const [wishes, setWishes] = useState(1);
  const [isAway, setAway] = useState(false);
  const part = useLoaded(block, wishes, () => setAway(true));
  if (part) return <part.Body {...given} />;
  const again = () => {
    setAway(false);
    setWishes(wishes + 1);
  };
  return isAway ? (
    <button type="button" onClick={again}>
      <Trans>Reload</Trans>
    </button>
  ) : null;
}
