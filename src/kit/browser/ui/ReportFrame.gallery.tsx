import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Button } from './Button.tsx';
import { Table } from './Layout.tsx';
import { ReportFrame, ReportTie } from './ReportFrame.tsx';

const rows = (
  <Table>
    <thead>
      <tr>
        <th scope="col">Garden</th>
        <th scope="col">Fruit</th>
      </tr>
    </thead>
    <tbody>
      <tr>
        <td>North</td>
        <td>120</td>
      </tr>
    </tbody>
  </Table>
);

export const reportFrame: Section = {
  name: 'ReportFrame',
  states: {
    'With acts': (
      <ReportFrame
        title="Fruit by garden"
        of={['The Orchard', '1 Hill Road, Anand']}
        period="1 to 31 Oct 2026"
        chosen={['Garden: North']}
        about="Fruit that was picked in these days."
        acts={<Button>Print</Button>}
      >
        {rows}
        <ReportTie agrees foot={<span className="soft">1 row</span>}>
          Agrees with the baskets
        </ReportTie>
      </ReportFrame>
    ),
    'Another total': (
      <ReportFrame title={longWords} period="As of 31 Oct 2026">
        {rows}
        <ReportTie agrees={false}>In the baskets: 121</ReportTie>
      </ReportFrame>
    ),
  },
};
