import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { peopleOfPage } from '../contract/month.ts';

interface Props {
  count: number;
  page: number;
  onPage: (page: number) => void;
}

/** The way through the pages of a month's people; nothing for a single one. */
export function Pages({ count, page, onPage }: Props) {
  const { t } = useLingui();
  const pages = Math.ceil(count / peopleOfPage);
  if (pages <= 1) return null;
  return (
    <Row gap="8 12" align="center" wrap mt={12}>
      <span>{t`Page ${page} of ${pages}`}</span>
      {page > 1 && (
        <Button onClick={() => onPage(page - 1)}>
          <Trans>Previous page</Trans>
        </Button>
      )}
      {page < pages && (
        <Button onClick={() => onPage(page + 1)}>
          <Trans>Next page</Trans>
        </Button>
      )}
    </Row>
  );
}
