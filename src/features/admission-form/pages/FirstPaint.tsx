import { Trans } from '@lingui/react/macro';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { Instructions } from './Instructions.tsx';
import { Skeleton } from './Skeleton.tsx';
import { StepPage } from './StepPage.tsx';

/** The part of the first page that is the same for every family, which the server renders into the HTML. */
export function FirstPaint() {
  return (
    <StepPage step={1} lead={<Instructions />}>
      <VisuallyHidden as="p" role="status">
        <Trans>Loading</Trans>
      </VisuallyHidden>
      <Skeleton />
    </StepPage>
  );
}
