import { Duration, Stack } from 'aws-cdk-lib';
import { Dashboard, Row } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { rowsOf } from './dashboard-rows.ts';
import { metricsNamespace } from './namespace.ts';
import type { DashboardProps } from './widgets.ts';

export class StageDashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const dashboard = new Dashboard(this, 'Dashboard', {
      // Dashboard names are unique in an account over all regions.
      dashboardName: `${metricsNamespace(props.stage).replace('/', '-')}-${Stack.of(this).region}`,
      defaultInterval: Duration.hours(6),
    });
    for (const row of rowsOf(props)) {
      if (row.length > 0) dashboard.addWidgets(new Row(...row));
    }
  }
}
