// Compares many requests that are served from the socket with requests that node:http serves.
import { size } from './sizes.ts';
import { describeOrders } from './socket-orders.ts';
import { describeServices } from './socket-services.ts';

describeOrders(size(4_000, 200_000));
describeServices(size(1_000, 20_000));
