//! MCP over stdin and stdout.

use rmcp::ServiceExt;

use super::{handler::Handler, line_transport::LineTransport, standard_streams};
use crate::{Code, Failure, Runtime, View};

/// Serves one client on this process's stdin and stdout, until stdin ends or the runtime closes.
///
/// The two streams are taken from the rest of the process for good: what else writes to stdout lands on stderr.
pub async fn serve_stdio(runtime: &Runtime, view: View) -> Result<(), Failure> {
    let shutdown = runtime.shutdown_token();
    let (reader, writer) = standard_streams::take().map_err(|error| {
        Failure::new(
            Code::Internal,
            format!("stdin and stdout cannot be used: {error}"),
        )
    })?;
    let transport = LineTransport::new(reader, writer);
    let handler = Handler::new(runtime.clone(), view).for_session(transport.ended());
    match handler.serve_with_ct(transport, shutdown).await {
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
