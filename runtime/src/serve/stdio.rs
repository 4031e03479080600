//! MCP over stdin and stdout.

use std::sync::Arc;

use rmcp::ServiceExt;
use tokio_util::sync::CancellationToken;

use super::{
    client::Client, elicitation::Seal, handler::Handler, line_transport::LineTransport,
    standard_streams,
};
use crate::{Code, Failure, Runtime, View};

/// Serves one client on this process's stdin and stdout, until stdin ends, nobody reads stdout, or the runtime closes.
///
/// The two streams are taken from the rest of the process for good: what else writes to stdout lands on stderr.
pub async fn serve_stdio(runtime: &Runtime, view: View) -> Result<(), Failure> {
    let (reader, writer, unread) = standard_streams::take().map_err(|error| {
        Failure::new(
            Code::Internal,
            format!("stdin and stdout cannot be used: {error}"),
        )
    })?;
    let client = Client::default();
    let transport = LineTransport::new(reader, writer, client.clone());
    let handler =
        Handler::new(runtime.clone(), view, Arc::new(Seal::new()?)).for_session(transport.ended());
    // Calls that nobody will hear of are cancelled, so that the services behind them hear of it.
    let session = runtime.shutdown_token().child_token();
    let ending = session.clone();
    let watching = tokio::spawn(async move {
        client.left(unread).await;
        ending.cancel();
    });
    let served = serve(handler, transport, session).await;
    watching.abort();
    served
}

async fn serve(
    handler: Handler,
    transport: LineTransport,
    session: CancellationToken,
) -> Result<(), Failure> {
    match handler.serve_with_ct(transport, session).await {
        Ok(service) => {
            service.waiting().await.map_err(|error| {
                Failure::new(
                    Code::Internal,
                    format!("the stdio server ended badly: {error}"),
                )
            })?;
            Ok(())
        }
        // A client that leaves before it says anything is no fault.
        Err(
            rmcp::service::ServerInitializeError::ConnectionClosed(_)
            | rmcp::service::ServerInitializeError::Cancelled,
        ) => Ok(()),
        Err(error) => Err(Failure::new(
            Code::UpstreamProtocol,
            format!("the MCP session did not start: {error}"),
        )),
    }
}
