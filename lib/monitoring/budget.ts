import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import type { Stage } from '../stage/stage.ts';
import type { Alarms } from './alarms.ts';

export interface MonthlyBudgetProps {
  readonly budget: NonNullable<Stage['budget']>;
  readonly alarms: Alarms;
}

/** Of the budget, in percent: what is told once in a month, as soon as it is so. */
const TOLD = [
  { notificationType: 'FORECASTED', threshold: 100 },
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'ACTUAL', threshold: 100 },
] as const;

/**
 * A budget of AWS for all that the account spends: what belongs to a stage AWS can tell only where the account has its
 * tags activated for that.
 *
 * Source: AWS Cost Management, "Creating an Amazon SNS topic for budget notifications".
 */
export class MonthlyBudget extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { budget: { monthly_dollars: amount }, alarms }: MonthlyBudgetProps,
  ) {
    super(scope, id);
    const { account, partition, stackName } = Stack.of(this);
    const anyBudget = `arn:${partition}:budgets::${account}:*`;
    alarms.let('notice', 'BudgetsOfThisAccount', 'budgets.amazonaws.com', anyBudget);
    const budget = new CfnBudget(this, 'Monthly', {
      budget: {
        // What deploys may change those of this name alone.
        budgetName: stackName,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount, unit: 'USD' },
      },
      notificationsWithSubscribers: TOLD.map((told) => ({
        notification: { ...told, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
        subscribers: [{ subscriptionType: 'SNS', address: alarms.topics.notice.topicArn }],
      })),
    });
    // AWS looks whether it may publish when the budget is made.
    budget.node.addDependency(alarms);
  }
}
